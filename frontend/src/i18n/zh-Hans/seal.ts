import { words } from '@/i18n/message';

const { number } = words('zh-Hans');

export const seal = {
  picture: '图案',
  word: '文字',
  length: (n: number, most: number) => `${number(n)} / ${number(most)}`,
  another: '换一个',
  problems: {
    empty: '请写一个你能认出的词。',
    long: '对确认框来说太长了。',
    hidden: '其中有隐藏字符，请手动输入。',
  },
  words: '港湾 罗盘 草地 灯笼 紫铜 杜松 花岗岩 藏红花 核桃 苍鹭 果园 蓟草',
} as const;
