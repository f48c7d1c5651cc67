// Numbers with units, times and durations in one language.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const dayMs = 24 * hour;

export interface Formats {
  number(n: number): string;
  /** 41 kB, 2.5 MB: powers of 1000. */
  bytes(n: number): string;
  /** 84 ms, 0.6 s, 2 min 5 s. */
  duration(ms: number): string;
  /** 14:02:16. */
  clock(time: string): string;
  /** 3 November 2026, 09:40:12. */
  dateTime(time: string): string;
  /** 14:02:16 today, else 3 Nov, 14:02. */
  moment(time: string, now: number): string;
  /** 3 Nov 2026. */
  day(time: string): string;
  /** 12 sec. ago, 4 min. ago, then the date. */
  ago(time: string, now: number): string;
  /** 50 s, 4 min, 2 h: how long something has been waiting. */
  age(time: string, now: number): string;
  list(items: string[]): string;
}

export function formatsFor(language: string): Formats {
  const numbers = new Intl.NumberFormat(language);
  const unit = (name: string, digits = 0) =>
    new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: digits });
  const units = {
    byte: unit('byte'),
    kilobyte: unit('kilobyte', 1),
    megabyte: unit('megabyte', 1),
    millisecond: unit('millisecond'),
    second: unit('second'),
    tenths: unit('second', 1),
    minute: unit('minute'),
    hour: unit('hour'),
    day: unit('day'),
  };
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'medium', hourCycle: 'h23' });
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'medium', hourCycle: 'h23' });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const short = new Intl.DateTimeFormat(language, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const relative = new Intl.RelativeTimeFormat(language, { style: 'short', numeric: 'always' });
  const lists = new Intl.ListFormat(language, { type: 'conjunction', style: 'long' });
  const valid = (time: string, show: (at: Date) => string) => {
    const at = new Date(time);
    return Number.isNaN(at.getTime()) ? '' : show(at);
  };
  return {
    number: (n) => numbers.format(n),
    bytes(n) {
      if (n < 1000) return units.byte.format(n);
      return n < 1e6 ? units.kilobyte.format(n / 1000) : units.megabyte.format(n / 1e6);
    },
    duration(ms) {
      if (ms < 500) return units.millisecond.format(ms);
      if (ms < minute) return units.tenths.format(ms / second);
      const minutes = units.minute.format(Math.floor(ms / minute));
      return ms < hour ? `${minutes} ${units.second.format(Math.floor((ms % minute) / second))}` : minutes;
    },
    clock: (time) => valid(time, (at) => clock.format(at)),
    dateTime: (time) => valid(time, (at) => dateTime.format(at)),
    moment: (time, now) =>
      valid(time, (at) => (at.toDateString() === new Date(now).toDateString() ? clock.format(at) : short.format(at))),
    day: (time) => valid(time, (at) => day.format(at)),
    ago: (time, now) =>
      valid(time, (at) => {
        const ms = Math.max(0, now - at.getTime());
        if (ms < minute) return relative.format(-Math.floor(ms / second), 'second');
        if (ms < hour) return relative.format(-Math.floor(ms / minute), 'minute');
        return ms < dayMs ? relative.format(-Math.floor(ms / hour), 'hour') : date.format(at);
      }),
    age: (time, now) =>
      valid(time, (at) => {
        const ms = Math.max(0, now - at.getTime());
        if (ms < minute) return units.second.format(Math.floor(ms / second));
        if (ms < hour) return units.minute.format(Math.floor(ms / minute));
        return ms < dayMs ? units.hour.format(Math.floor(ms / hour)) : units.day.format(Math.floor(ms / dayMs));
      }),
    list: (items) => lists.format(items),
  };
}
