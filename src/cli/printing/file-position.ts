/** A position such as `main.ts:26` as data. Empty if it is unknown. */
export function filePosition(position: string | undefined): { file?: string; line?: number } {
  const [, file, line] = /^(.+):(\d+)$/s.exec(position ?? "") ?? [];
  return file === undefined ? {} : { file, line: Number(line) };
}
