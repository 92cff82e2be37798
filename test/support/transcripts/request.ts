import { parse } from "yaml";

const METHODS = /^(?:GET|POST|PUT|PATCH|DELETE)$/;

export const isMethod = (word: string): boolean => METHODS.test(word);

/** A request of a transcript, with the expected response. */
export interface WrittenRequest {
  readonly path: string;
  readonly header: readonly [name: string, value: string] | undefined;
  /** The body: data in YAML, or a form. */
  readonly body: string | undefined;
  /** The expected status. If undefined, any status below 300 is allowed. */
  readonly status: number | undefined;
  readonly expected: unknown;
}

/** Reads `/path [header: value] {body} => 403 {response}`. All parts after the path are optional. */
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
