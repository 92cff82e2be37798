/** The file system's error code, such as `ENOENT`. */
export function systemCode(problem: unknown): string | undefined {
  const code = (problem as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}
