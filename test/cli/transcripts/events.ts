import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import { expectLike, jsonIn, picked, typesIn } from "../../support/transcripts/data";

/** Handles `@ data`: expects that an event, or another JSON value in the output, matches the data. */
export function expectSome(out: string, pattern: unknown): void {
  const values = jsonIn(out);
  const found = values.map((one) => picked(one, pattern));
  // If the output has only one value, a failure shows how the value differs from the data. If it has several values, a
  // failure shows all values.
  if (values.length === 1) expect(found[0]).toEqual(pattern);
  else if (!found.some((one) => isDeepStrictEqual(one, pattern))) expect(values).toContainEqual(pattern);
}

/**
 * Handles two steps. `events a b` lists the types of all events. `events TYPE DATA` describes all events of a type: DATA is
 * one event or a list of events.
 */
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

/** Handles `diagnostics COUNT CODE [ADDRESS] [before TYPE]`: expects COUNT diagnostics with different addresses. */
export function expectDiagnostics(out: string, rest: string): void {
  const [, count, code, address, type] = /^(\d+) (\w+)(?: (?!before )(\S+))?(?: before (\w+))?$/.exec(rest)!;
  const events = jsonIn(out) as { type: string; diagnostic?: { code: string; address?: string } }[];
  const end = type === undefined ? events.length : events.findIndex((one) => one.type === type);
  const told = events.slice(0, end).flatMap(({ diagnostic }) => diagnostic ?? []);
  const found = told.filter((one) => one.code === code && [undefined, one.address].includes(address));
  expect(found).toHaveLength(Number(count));
  expect(new Set(found.map((one) => one.address)).size).toBe(found.length);
}
