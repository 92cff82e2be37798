import { readFileSync } from "node:fs";
import path from "node:path";

/** The lines of the app's file in which a declaration begins. */
export interface SourceLines {
  /** The position of the first text after another position, such as `main.ts:12`; that one if there is none. */
  find(text: RegExp, after: string): string;
}

/**
 * Finds lines by their text: objects in an app have no position of their own, as constructs have. What is written in another file
 * has the position of the construct that takes it.
 *
 * @param position of the construct, such as `main.ts:10`
 */
export function sourceLines(position: string | undefined): SourceLines {
  const [, file = ""] = /^(.*):\d+$/.exec(position ?? "") ?? [];
  let lines: readonly string[] = [];
  try {
    lines = readFileSync(path.resolve(file), "utf8").split("\n");
  } catch {
    // An app that runs from elsewhere: positions stay those of the construct.
  }
  return {
    find(text, after) {
      const from = Number(/:(\d+)$/.exec(after)?.[1] ?? 1) - 1;
      const found = lines.findIndex((line, index) => index >= from && text.test(line));
      return found === -1 ? after : `${file}:${found + 1}`;
    },
  };
}

/** A key, or a quoted text, of an object that is written in TypeScript. */
export const keyText = (key: string): RegExp =>
  new RegExp(`(?:^|[\\s{,])(?:["'\`]${escaped(key)}["'\`]|${escaped(key)})\\s*[:,}]`);

export const whereText = (where: string): RegExp =>
  new RegExp(`where["']?\\s*:\\s*["'\`]${escaped(where)}["'\`]`);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
