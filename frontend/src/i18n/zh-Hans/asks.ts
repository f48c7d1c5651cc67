import { sentence, words } from '@/i18n/message';

const { number } = words('zh-Hans');

export const asks = {
  titles: {
    form: sentence('{server} 请你填写信息'),
    url: sentence('{server} 请求打开 {about}'),
  },
  lines: {
    form: (server: string) => `${server} 请你填写信息`,
    url: (server: string, about: string) => `${server} 请求打开 ${about}`,
    visit: (server: string, about: string) => `${server} 等待你在 ${about} 完成操作`,
  },

  url: {
    opens: '会在浏览器中打开一个页面',
    opensMeans: (domain: string) => `你在那里输入的内容会发送给 ${domain}，而不是 Gatehouse 或模型。`,
    imitates: '这个地址可能在冒充另一个地址',
    imitatesMeans: (shown: string) => `它显示为 ${shown}，但其中并非全是普通的拉丁字母。`,
    odd: '这个地址与初看时并不一样',
    oddMeans: (host: string) => `${host} 是一个写法少见的数字。`,
    inside: '这个地址通向你自己的网络',
    insideMeans: (server: string) => `${server} 是远程服务器，它自己无法访问该地址，而你的浏览器可以。`,
    here: '这个地址通向这台电脑上的程序',
    hereMeans: '浏览器会像你亲自输入一样打开它。',
    hereRemote: (server: string) => `${server} 是远程服务器，它自己无法访问该地址，而你的浏览器可以。`,
    lookAlike: '形近字符',
    letter: (letter: string, code: string, script: string) => `“${letter}”属于 ${script}，${code}`,
    full: '完整地址',
    copy: '复制',
    domain: '域名',
    connection: '连接',
    secure: 'HTTPS',
    plain: '未加密',
    seen: '以前打开过',
    never: '从未',
    times: (n: number, last: string) => `${number(n)} 次，最近一次是 ${last}`,
    notAgreeing: '你只是同意打开它，仅此而已。',
    open: '在浏览器中打开',
    anyway: '仍要打开…',
    doubt: '请先查看警告',
  },

  visit: {
    kind: '在浏览器中',
    waiting: '等待你在浏览器中完成操作',
    knows: (time: string, server: string) => `打开于 ${time}。${server} 只知道你同意打开它。Gatehouse 看不到那个页面。`,
    goes: (time: string, tool: string) => `打开于 ${time}。你完成后会再次请求 ${tool}。Gatehouse 看不到那个页面。`,
    goesOn: (time: string) => `打开于 ${time}。你完成后会再次发出原来的请求。Gatehouse 看不到那个页面。`,
    done: (server: string) => `${server} 表示已经完成`,
    doneText: '是否继续由你决定。',
    doneClose: '这里不需要再做什么。',
    failed: '无法打开浏览器',
    failedText: (server: string) => `已告知 ${server} 你没有作出决定。你可以复制该地址。`,
    stays: '你可以继续工作，它会留在待决定列表中。',
    again: '再次打开',
    finished: '我已完成',
    stop: '不再等待',
    withdrawn: '已经没有人在等待它。',
  },
} as const;
