import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CODES } from "../../src/diagnostics";
import { API_CODES } from "../../src/diagnostics/codes/api";

const sources = ["api", "http"]
  .map((room) => join(__dirname, "../../src", room))
  .flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(room, name), "utf8")),
  )
  .join("\n");

// Errors are created with `code: "…"`, in the table of statuses with `404: "…"`, or the code is returned.
const raised = new Set(
  [...sources.matchAll(/(?:\bcode: |\b\d{3}: |\breturn |\? )"([a-z_]+)"/g)].map(([, code]) => code!),
);

describe("the registry of error codes", () => {
  test.each(Object.keys(API_CODES))("%s is raised by the client", (code) => {
    expect([...raised]).toContain(code);
  });

  test("contains every code that the client raises", () => {
    const made = [...sources.matchAll(/(?:\bcode: |\b\d{3}: )"([a-z_]+)"/g)].map(([, code]) => code);
    expect(made.length).toBeGreaterThan(20);
    expect(Object.keys(API_CODES)).toEqual(expect.arrayContaining(made));
  });

  test("no other area uses an error code with another meaning", () => {
    expect(CODES).toMatchObject(API_CODES);
  });

  test.each(Object.entries(API_CODES))("%s has a meaning and a remedy, in sentences", (_, entry) => {
    expect(entry.meaning).toMatch(/^[A-Z].*\.$/);
    expect(entry.remedy).toMatch(/^[A-Z].*\.$/);
  });
});
