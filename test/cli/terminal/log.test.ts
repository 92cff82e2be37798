import { createLog, logRequest } from "../../../src/cli/terminal/log";
import { fakeTerminal } from "../support/terminal";

const logged = (level: string | undefined): string => {
  const terminal = fakeTerminal(level === undefined ? {} : { env: { STEWARD_LOG: level } });
  const log = createLog(terminal);
  const request = { operation: "projects.get", method: "GET", path: "/projects/1", attempt: 1 };
  logRequest(log, { type: "request", ...request });
  logRequest(log, { type: "answer", ...request, status: 200, milliseconds: 12.4 });
  logRequest(log, { type: "rate_limit", milliseconds: 3000, reason: "rate limit" });
  expect(terminal.written.out).toBe("");
  return terminal.written.err.replace(/^\S+ /gm, "");
};

test.each([
  [undefined, ""],
  ["error", ""],
  ["info", "[INFO] waiting 3000 ms: rate limit\n"],
  ["DEBUG", "[DEBUG] GET /projects/1 200 after 12 ms\n[INFO] waiting 3000 ms: rate limit\n"],
  [
    "trace",
    "[TRACE] GET /projects/1 sent (attempt 1)\n[DEBUG] GET /projects/1 200 after 12 ms\n[INFO] waiting 3000 ms: rate limit\n",
  ],
  ["loud", ""],
])("with STEWARD_LOG=%s, stderr contains exactly the lines of this log level", (level, expected) =>
  expect(logged(level)).toBe(expected),
);
