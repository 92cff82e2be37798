import { LIBRARIES, ROOT, run, usePacked } from "./support/packed";

// Faults of packages in general: entries without a file, types that a way of finding modules does not reach, names that Node can't import.

jest.setTimeout(300_000);

const packed = usePacked();
/** Runs a script of this repository on a tarball. */
const check = async (script: string, tarball: string): Promise<string> =>
  (await run("npm", ["run", "--silent", script, tarball], { cwd: ROOT })).stdout;

describe.each(LIBRARIES)("the package for %s", (library) => {
  test("publint finds no problem in the package", async () => {
    expect(await check("pack:lint", packed.tarballs[library])).toContain("All good!");
  });

  test("Are the types wrong? finds no problem in the package", async () => {
    expect(await check("pack:types", packed.tarballs[library])).toContain("No problems found");
  });
});
