export const risk = {
  classes: { read: '读取', write: '写入', destroy: '破坏性', leave: '外发', unknown: '未知' },
} as const;
