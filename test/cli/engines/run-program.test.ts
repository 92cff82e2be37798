import { runProgram } from "../../../src/cli/engines/run-program";

const neverAborted = new AbortController().signal;

/** The lines that a program of Node writes. */
async function linesOf(script: string): Promise<string[]> {
  const lines: string[] = [];
  const code = await runProgram({
    program: process.execPath,
    words: ["-e", script],
    folder: ".",
    env: process.env,
    onOut: (line) => lines.push(line),
    onErr: (line) => lines.push(`err ${line}`),
    stop: neverAborted,
    abort: neverAborted,
  });
  expect(code).toBe(0);
  return lines;
}

test("a line of JSON was cut in two where it held U+2028, and at a carriage return", async () => {
  const line = JSON.stringify({ message: "one\u2028two\u2029three" });
  expect(
    await linesOf(`console.log(${JSON.stringify(line)}); process.stdout.write("a\\rb\\r\\n\\nlast")`),
  ).toEqual([line, "a\rb", "", "last"]);
});

test("a line that comes in many parts is one line", async () => {
  const lines = await linesOf(
    'process.stdout.write("x".repeat(300_000) + "\\n"); console.error("ä".repeat(100_000))',
  );
  expect(lines.map((line) => line.length).sort()).toEqual([100_004, 300_000]);
});
