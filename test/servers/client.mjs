// One of the official TypeScript clients as a client of the benchmark (test/bench/worker.go): it does what its standard
// input says, one order a line, and writes one report a line. Times are nanoseconds, memory is bytes.
//
//	node client.mjs v1|v2 COMMAND|ADDRESS [ARGUMENT...]
import { createInterface } from 'node:readline';

const [version, server, ...args] = process.argv.slice(2);
const packages = {
  v1: [
    '@modelcontextprotocol/sdk/client/index.js',
    '@modelcontextprotocol/sdk/client/stdio.js',
    '@modelcontextprotocol/sdk/client/streamableHttp.js',
  ],
  v2: ['@modelcontextprotocol/client', '@modelcontextprotocol/client/stdio', '@modelcontextprotocol/client'],
};
const [{ Client }, { StdioClientTransport }, { StreamableHTTPClientTransport }] = await Promise.all(
  packages[version].map((name) => import(name)),
);
const client = new Client({ name: 'bench', version: '1' }, { capabilities: {} });

async function connect() {
  const web = /^https?:/.test(server);
  await client.connect(
    web ? new StreamableHTTPClientTransport(new URL(server)) : new StdioClientTransport({ command: server, args }),
  );
  await client.listTools();
}

async function call(size) {
  const result = await client.callTool({ name: 'reply', arguments: { size } });
  if (result.isError || result.content.length === 0) throw new Error('no reply');
}

/** One call after the other; takes down how long each took. */
async function inTurn({ Size, N }) {
  const calls = [];
  for (let i = 0; i < N; i++) {
    const began = process.hrtime.bigint();
    await call(Size);
    calls.push(Number(process.hrtime.bigint() - began));
  }
  return calls;
}

async function atOnce({ Size, N, Width }) {
  let begun = 0;
  const lane = async () => {
    while (begun++ < N) await call(Size);
  };
  await Promise.all(Array.from({ length: Width }, lane));
  return null;
}

async function report(work) {
  const cpu = process.cpuUsage();
  const began = process.hrtime.bigint();
  let Calls = null;
  let Err = '';
  try {
    Calls = (await work()) ?? null;
  } catch (error) {
    Err = String(error);
  }
  const Wall = Number(process.hrtime.bigint() - began);
  const { user, system } = process.cpuUsage(cpu);
  const Peak = process.resourceUsage().maxRSS * 1024;
  const r = { Calls, Wall, CPU: (user + system) * 1000, Memory: process.memoryUsage.rss(), Peak, Err };
  process.stdout.write(`${JSON.stringify(r)}\n`);
}

await report(connect);
for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  await report(() => (order.Width > 1 ? atOnce(order) : inTurn(order)));
}
await client.close();
