import { formatTimestamp } from "./timestamp";

const TIMESTAMP =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt](\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?(Z|[+-]\d\d:\d\d)| (\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?)?$/;

/** What YAML takes for a date or time, as RFC 3339; undefined when the word is none. */
export function resolveYamlTimestamp(source: string): string | undefined {
  const match = TIMESTAMP.exec(source);
  if (match === null) return undefined;
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number];
  const [hour, minute, second] = [4, 5, 6].map((i) => Number(match[i] ?? match[i + 4] ?? 0)) as [
    number,
    number,
    number,
  ];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!exists || hour > 23 || minute > 59 || second > 59) return undefined;
  const zone = match[7] ?? "Z";
  const [zoneHour = 0, zoneMinute = 0] = zone === "Z" ? [] : zone.slice(1).split(":").map(Number);
  const offset = (zoneHour * 60 + zoneMinute) * (zone.startsWith("-") ? -1 : 1);
  const seconds = date.getTime() / 1000 + (hour * 60 + minute - offset) * 60 + second;
  return formatTimestamp({ nanoseconds: BigInt(seconds) * 1_000_000_000n, offset });
}
