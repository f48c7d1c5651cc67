// Numbers with units, times and durations in one language.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export interface Formats {
  number(n: number): string;
  /** 125 %. */
  percent(n: number): string;
  /** 41 kB, 2.5 MB: powers of 1000. */
  bytes(n: number): string;
  /** 84 ms, 0.6 s, 2 min 5 s. */
  duration(ms: number): string;
  /** 14:02:16. */
  clock(time: string): string;
  /** 14:02:16.084. */
  instant(time: string): string;
  /** 3 November 2026, 09:40:12. */
  dateTime(time: string): string;
  /** 14:02:16 today, else 3 Nov, 14:02. */
  moment(time: string, now: number): string;
  /** 3 Nov, with its year if it is another one. */
  day(time: string, now: number): string;
  /** 12 sec. ago, 4 min. ago, then the date. */
  ago(time: string, now: number): string;
  /** 50 s, 4 min, 2 h: how long something has been waiting. */
  age(time: string, now: number): string;
  list(items: string[]): string;
}

/** Chinese puts a space between a number and a word; Intl does not. */
const spaced = (text: string) => text.replace(/(\d)(?=\p{Script=Han})/gu, '$1 ');

export function formatsFor(language: string): Formats {
  const numbers = new Intl.NumberFormat(language);
  const percents = new Intl.NumberFormat(language, { style: 'percent' });
  const unit = (name: string, digits = 0, unitDisplay: 'short' | 'long' = 'short') => {
    const format = new Intl.NumberFormat(language, {
      style: 'unit',
      unit: name,
      unitDisplay,
      maximumFractionDigits: digits,
    });
    return (n: number) => spaced(format.format(n));
  };
  const units = {
    byte: unit('byte', 0, 'long'),
    kilobyte: unit('kilobyte', 1),
    megabyte: unit('megabyte', 1),
    millisecond: unit('millisecond'),
    second: unit('second'),
    tenths: unit('second', 1),
    minute: unit('minute'),
    hour: unit('hour'),
    day: unit('day'),
  };
  const time = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(language, { hourCycle: 'h23', ...options });
    return (at: Date) => format.format(at);
  };
  const clock = time({ timeStyle: 'medium' });
  const instant = time({ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 });
  const dateTime = time({ dateStyle: 'long', timeStyle: 'medium' });
  const date = time({ dateStyle: 'medium', timeStyle: 'short' });
  const dayOfYear = time({ day: 'numeric', month: 'short' });
  const dayAndYear = time({ dateStyle: 'medium' });
  const dayAndTime = time({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
  const relative = new Intl.RelativeTimeFormat(language, { style: 'short', numeric: 'always' });
  const before = (n: number, name: 'second' | 'minute' | 'hour') => spaced(relative.format(-Math.floor(n), name));
  const lists = new Intl.ListFormat(language, { type: 'conjunction', style: 'long' });
  const valid = (time: string, show: (at: Date) => string) => {
    const at = new Date(time);
    return Number.isNaN(at.getTime()) ? '' : show(at);
  };
  return {
    number: (n) => numbers.format(n),
    percent: (n) => percents.format(n / 100),
    bytes(n) {
      if (n < 1000) return units.byte(n);
      return n < 1e6 ? units.kilobyte(n / 1000) : units.megabyte(n / 1e6);
    },
    duration(ms) {
      if (ms < 500) return units.millisecond(ms);
      if (ms < minute) return units.tenths(ms / second);
      const minutes = units.minute(Math.floor(ms / minute));
      return ms < hour ? `${minutes} ${units.second(Math.floor((ms % minute) / second))}` : minutes;
    },
    clock: (time) => valid(time, clock),
    instant: (time) => valid(time, instant),
    dateTime: (time) => valid(time, dateTime),
    moment: (time, now) =>
      valid(time, (at) => (at.toDateString() === new Date(now).toDateString() ? clock(at) : dayAndTime(at))),
    day: (time, now) =>
      valid(time, (at) => (at.getFullYear() === new Date(now).getFullYear() ? dayOfYear(at) : dayAndYear(at))),
    ago: (time, now) =>
      valid(time, (at) => {
        const ms = Math.max(0, now - at.getTime());
        if (ms < minute) return before(ms / second, 'second');
        if (ms < hour) return before(ms / minute, 'minute');
        return ms < day ? before(ms / hour, 'hour') : date(at);
      }),
    age: (time, now) =>
      valid(time, (at) => {
        const ms = Math.max(0, now - at.getTime());
        if (ms < minute) return units.second(Math.floor(ms / second));
        if (ms < hour) return units.minute(Math.floor(ms / minute));
        return ms < day ? units.hour(Math.floor(ms / hour)) : units.day(Math.floor(ms / day));
      }),
    // The locale's own form sets 和 between the last two without a space, which reads badly beside numbers.
    list: (items) => (language.startsWith('zh') ? items.join('、') : lists.format(items)),
  };
}
