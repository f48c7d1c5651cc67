export const errors = {
  title: '操作未成功',
  withDetail: (text: string, detail: string) => (detail ? `${text}（${detail}）` : text),
  codes: {
    internal: 'Gatehouse 自身出现故障，详情见报告。',
    unknown: 'Gatehouse 无法说明原因，详情见报告。',
  },
} as const;
