// The real servers listen on every interface. Started with "node --require ./loopback.cjs", they stay on this machine.
const { Server } = require('node:net');

const { listen } = Server.prototype;
Server.prototype.listen = function (port, ...rest) {
  return listen.call(this, port, '127.0.0.1', ...rest);
};
