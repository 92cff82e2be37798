import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { openApiText } from "../../src/service";

const page = readFileSync(path.join(__dirname, "../../docs/specification.md"), "utf8");

/** Returns the rows of all tables on the page. Each row has the text of each cell, by the head of its column. */
function rows(): Record<string, string>[] {
  const found: Record<string, string>[] = [];
  let heads: string[] | undefined;
  for (const line of page.split("\n")) {
    if (!line.startsWith("|")) heads = undefined;
    else {
      const cells = line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim());
      if (heads === undefined) heads = cells;
      else if (!line.startsWith("|---")) {
        found.push(Object.fromEntries(heads.map((head, index) => [head, cells[index] ?? ""])));
      }
    }
  }
  return found;
}

const FILES = readdirSync(__dirname, { recursive: true, encoding: "utf8" });

/**
 * Returns the source of a test file of the service, or of the transcript with this name. The transcript can be in any
 * folder.
 */
function sourceOf(name: string): string {
  const named = FILES.filter((file) =>
    [`${name}.test.ts`, `${name}.transcript`].includes(path.basename(file)),
  );
  expect(named).not.toEqual([]);
  return named.map((file) => readFileSync(path.join(__dirname, file), "utf8")).join("\n");
}

describe("docs/specification.md", () => {
  test("every row of docs/specification.md names an existing test", () => {
    expect(rows().length).toBeGreaterThan(100);
    // Rows about single endpoints and fields have a `Part`. test/specification checks these rows.
    for (const row of rows().filter((each) => each["Part"] === undefined)) {
      const [, file, title] = /^([\w.-]+): (.+)$/.exec(row["Test"] ?? "") ?? [];
      expect({ row, named: title !== undefined }).toEqual({ row, named: true });
      const source = sourceOf(file!);
      const told = ['"', "'", "`", "== "].some((quote) => source.includes(`${quote}${title}`));
      expect({ file, title, told }).toEqual({ file, title, told: true });
    }
  });

  test("docs/specification.md has a row for each endpoint of the specified areas of the API", () => {
    const { paths } = JSON.parse(openApiText()) as { paths: Record<string, Record<string, unknown>> };
    const served = new Set(
      Object.entries(paths).flatMap(([address, operations]) =>
        Object.keys(operations).map(
          (method) =>
            `${method.toUpperCase()} ${address.replace("/api/v4", "").replace(/\{(\w+)\}/g, ":$1")}`,
        ),
      ),
    );
    const named = rows().flatMap((row) => {
      const cell = row["Method and path"] ?? "";
      const methods = cell.split("`")[0]!.match(/[A-Z]{3,}/g) ?? [];
      const addresses = [...cell.matchAll(/`(\/[^`]+)`/g)].map((match) => match[1]!);
      return row["Behaviour"] === undefined
        ? []
        : methods.flatMap((method) => addresses.map((address) => `${method} ${address}`));
    });
    expect(named.filter((one) => !served.has(one))).toEqual([]);
    expect(named).toHaveLength(new Set(named).size);
    const areas =
      /job_token_scope|protected_environments|pages$|ci_ymls|registry|\/invitations|enterprise_users|\/user$/;
    const described = [...served].filter((one) => areas.test(one) && !/_steward|gitlab_ci_ymls/.test(one));
    expect(described.filter((one) => !named.includes(one))).toEqual([]);
  });
});
