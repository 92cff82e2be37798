import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(__dirname, "../..");
const page = readFileSync(path.join(ROOT, "docs/architecture.md"), "utf8");

test("every file that the page names with its room exists", () => {
  const named = [...page.matchAll(/`(?:src\/)?([a-z]+\/[a-z/-]+\.ts)`/g)].map(([, file]) => file!);
  expect(named.length).toBeGreaterThan(70);
  expect(named.filter((file) => !existsSync(path.join(ROOT, "src", file)))).toEqual([]);
});

test("every function that the page names for a question stands in its file", () => {
  const rows = [...page.matchAll(/^\| .* \| `([a-z/-]+\.ts)` \| (`.*`) \|$/gm)];
  expect(rows.length).toBeGreaterThan(60);
  const lost = rows.flatMap(([, file, functions]) => {
    const source = readFileSync(path.join(ROOT, "src", file!), "utf8");
    const names = [...functions!.matchAll(/`#?(\w+)`/g)].map(([, name]) => name!);
    return names
      .filter((name) => !new RegExp(`\\b${name}\\b`).test(source))
      .map((name) => `${file}: ${name}`);
  });
  expect(lost).toEqual([]);
});
