import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PROVIDER_SERVICE } from "../../src/plugin/messages/generated/tfplugin6";
import { COLUMNS, FEATURES } from "../support/compatibility";
import { compatibilityPage, declarations, installations } from "../support/compatibility-page";
import { INSTALLS, PACKAGES } from "../support/installs";

const PAGE = path.join(__dirname, "../../docs/compatibility.md");

test("docs/compatibility.md equals the page that Steward generates from the features in the tests", () => {
  const page = compatibilityPage();
  // `npm run compatibility` sets this variable, so that the test writes the page.
  if (process.env["STEWARD_WRITE_COMPATIBILITY"]) writeFileSync(PAGE, page);
  expect(readFileSync(PAGE, "utf8")).toBe(page);
});

test("every procedure of the plugin protocol belongs to exactly one feature of docs/compatibility.md", () => {
  const listed = Object.values(FEATURES as Record<string, { procedures?: readonly string[] }>).flatMap(
    ({ procedures = [] }) => procedures,
  );
  expect([...listed].sort()).toEqual(Object.keys(PROVIDER_SERVICE).sort());
});

test("every feature and program that a test declares is in docs/compatibility.md", () => {
  for (const { feature, column, file } of declarations()) {
    expect([file, Object.keys(FEATURES)]).toEqual([file, expect.arrayContaining([feature])]);
    expect([file, Object.keys(COLUMNS)]).toEqual([file, expect.arrayContaining([column])]);
  }
});

test("every way of installation and every package that a test declares is in docs/compatibility.md", () => {
  for (const { feature, column, file } of installations()) {
    expect([file, Object.keys(INSTALLS)]).toEqual([file, expect.arrayContaining([feature])]);
    expect([file, Object.keys(PACKAGES)]).toEqual([file, expect.arrayContaining([column])]);
  }
});

test('docs/compatibility.md contains no cell "not tested"', () => {
  expect(compatibilityPage()).not.toContain("not tested");
});
