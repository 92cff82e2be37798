import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import { expectLike, jsonIn, picked, typesIn } from "../../support/transcripts/data";

/** `@ data`: an event, or the JSON of an output, is like this. */
export function expectSome(out: string, pattern: unknown): void {
  const values = jsonIn(out);
  const found = values.map((one) => picked(one, pattern));
  // One value is shown as it differs, of several all.
  if (values.length === 1) expect(found[0]).toEqual(pattern);
  else if (!found.some((one) => isDeepStrictEqual(one, pattern))) expect(values).toContainEqual(pattern);
}

/** `events a b` are the types of all events; `events TYPE DATA` is the one event of a type, or the list of them. */
export function expectEvents(out: string, rest: string): void {
  const [, type, data] = /^(\w+) ([{[].*)$/s.exec(rest) ?? [];
  if (data === undefined) {
    expect(typesIn(out)).toEqual(rest.split(" "));
    return;
  }
  const found = (jsonIn(out) as { type: string }[]).filter((one) => one.type === type);
  const wanted: unknown = parse(data);
  expectLike(found, Array.isArray(wanted) ? wanted : [wanted]);
}

/** `diagnostics COUNT CODE [ADDRESS] [before TYPE]`: the number of its events, each with another address. */
export function expectDiagnostics(out: string, rest: string): void {
  const [, count, code, address, type] = /^(\d+) (\w+)(?: (?!before )(\S+))?(?: before (\w+))?$/.exec(rest)!;
  const events = jsonIn(out) as { type: string; diagnostic?: { code: string; address?: string } }[];
  const end = type === undefined ? events.length : events.findIndex((one) => one.type === type);
  const told = events.slice(0, end).flatMap(({ diagnostic }) => diagnostic ?? []);
  const found = told.filter((one) => one.code === code && [undefined, one.address].includes(address));
  expect(found).toHaveLength(Number(count));
  expect(new Set(found.map((one) => one.address)).size).toBe(found.length);
}
