const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = 'January February March April May June July August September October November December'.split(' ')

type Field = (date: Date) => string

const fields: ReadonlyMap<string, Field> = new Map<string, Field>([
  ['a', (date) => dayName(date).slice(0, 3)],
  ['A', (date) => dayName(date)],
  ['b', (date) => monthName(date).slice(0, 3)],
  ['h', (date) => monthName(date).slice(0, 3)],
  ['B', (date) => monthName(date)],
  ['c', (date) => strftime(date, '%a %b %e %H:%M:%S %Y')],
  ['C', (date) => pad(Math.floor(date.getFullYear() / 100))],
  ['d', (date) => pad(date.getDate())],
  ['D', (date) => strftime(date, '%m/%d/%y')],
  ['e', (date) => String(date.getDate()).padStart(2, ' ')],
  ['f', (date) => String(date.getMilliseconds() * 1000).padStart(6, '0')],
  ['F', (date) => strftime(date, '%Y-%m-%d')],
  ['H', (date) => pad(date.getHours())],
  ['I', (date) => pad(date.getHours() % 12 || 12)],
  ['j', (date) => String(dayOfYear(date)).padStart(3, '0')],
  ['k', (date) => String(date.getHours()).padStart(2, ' ')],
  ['l', (date) => String(date.getHours() % 12 || 12).padStart(2, ' ')],
  ['m', (date) => pad(date.getMonth() + 1)],
  ['M', (date) => pad(date.getMinutes())],
  ['n', () => '\n'],
  ['p', (date) => (date.getHours() < 12 ? 'AM' : 'PM')],
  ['r', (date) => strftime(date, '%I:%M:%S %p')],
  ['R', (date) => strftime(date, '%H:%M')],
  ['s', (date) => String(Math.floor(date.getTime() / 1000))],
  ['S', (date) => pad(date.getSeconds())],
  ['t', () => '\t'],
  ['T', (date) => strftime(date, '%H:%M:%S')],
  ['u', (date) => String(date.getDay() || 7)],
  ['U', (date) => pad(Math.floor((dayOfYear(date) + 6 - date.getDay()) / 7))],
  ['w', (date) => String(date.getDay())],
  ['W', (date) => pad(Math.floor((dayOfYear(date) + 6 - ((date.getDay() + 6) % 7)) / 7))],
  ['x', (date) => strftime(date, '%m/%d/%y')],
  ['X', (date) => strftime(date, '%H:%M:%S')],
  ['y', (date) => pad(date.getFullYear() % 100)],
  ['Y', (date) => String(date.getFullYear())],
  // The clock of Transformers has no zone, and so no text for one.
  ['z', () => ''],
  ['Z', () => ''],
  ['%', () => '%'],
])

/** Local time as C's `strftime` writes it, in English; `-` leaves out leading zeros and spaces. What is no field stays as it is. */
export function strftime(date: Date, format: string): string {
  return format.replace(/%(-?)([A-Za-z%])/g, (all, bare: string, letter: string) => {
    const text = fields.get(letter)?.(date)
    if (text === undefined) return all
    return bare ? text.replace(/^[0 ]+(?=\d)/, '') : text
  })
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}

function dayName(date: Date): string {
  return days[date.getDay()] ?? ''
}

function monthName(date: Date): string {
  return months[date.getMonth()] ?? ''
}

function dayOfYear(date: Date): number {
  const midday = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  return Math.round((midday - Date.UTC(date.getFullYear(), 0, 0)) / 86_400_000)
}
