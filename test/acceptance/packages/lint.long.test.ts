import path from "node:path";
import { LIBRARIES, ROOT, run, usePacked } from "./support/packed";

// Faults of packages in general: entries without a file, types that a way of finding modules does not reach, names that Node can't import.

jest.setTimeout(300_000);

const packed = usePacked();
const bin = (name: string): string => path.join(ROOT, "node_modules/.bin", name);

describe.each(LIBRARIES)("the package for %s", (library) => {
  test("has no problem that publint finds", async () => {
    const { stdout } = await run(bin("publint"), [packed.tarballs[library], "--strict"]);
    expect(stdout).toContain("All good!");
  });

  test("has no problem that Are the types wrong? finds", async () => {
    const words = ["--no-definitely-typed", "--format", "ascii", "--no-color", "--no-emoji"];
    const { stdout } = await run(bin("attw"), [packed.tarballs[library], ...words]);
    expect(stdout).toContain("No problems found");
  });
});
