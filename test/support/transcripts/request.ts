import { parse } from "yaml";

const METHODS = /^(?:GET|POST|PUT|PATCH|DELETE)$/;

export const isMethod = (word: string): boolean => METHODS.test(word);

/** A request of a transcript, and what its response must have. */
export interface WrittenRequest {
  readonly path: string;
  readonly header: readonly [name: string, value: string] | undefined;
  /** Data as YAML, or a form. */
  readonly body: string | undefined;
  /** Any status below 300 if undefined. */
  readonly status: number | undefined;
  readonly expected: unknown;
}

/** Reads `/path [header: value] {body} => 403 {response}`. All parts behind the path are optional. */
export function readRequest(line: string, block: string): WrittenRequest {
  const [, asked, status, data = ""] = /^(.*?)(?: =>(?: (\d{3}))?(?: (.*))?)?$/s.exec(line)!;
  const [, path, name, value, body] = /^(\S+)(?: \[([\w-]+): (.*?)\])? ?(.*)$/s.exec(asked!)!;
  return {
    path: path!,
    header: name === undefined ? undefined : [name, value!],
    body: body === "" ? undefined : body,
    status: status === undefined ? undefined : Number(status),
    expected: data + block === "" ? undefined : parse(data + block),
  };
}
