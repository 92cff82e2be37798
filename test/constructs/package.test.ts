import { readFileSync } from "node:fs";
import path from "node:path";

// The tests check that TypeScript finds the types of every import path of the package, with every module resolution. New
// cdktf apps use an older resolution, which does not read `exports`.

interface Package {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  readonly typesVersions: { readonly "*": Readonly<Record<string, readonly string[]>> };
}

test("each entry point of the package has type declarations in `exports` and in `typesVersions`", () => {
  const text = readFileSync(path.join(__dirname, "../../package.json"), "utf8");
  const { exports, typesVersions } = JSON.parse(text) as Package;
  const typed = Object.entries(exports).flatMap(([entry, target]) =>
    typeof target === "string" || entry === "." ? [] : [[entry.replace("./", ""), [target.types]] as const],
  );
  expect(typed.length).toBeGreaterThan(0);
  expect(typesVersions["*"]).toEqual(Object.fromEntries(typed));
});
