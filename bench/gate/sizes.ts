import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { Measure } from "./figure";

const ROOT = path.join(__dirname, "..", "..");

function bytesOfPackage(): number {
  const { contentsOf } = require("../../scripts/pack/contents");
  const manifest = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  const { files }: { files: readonly string[] } = contentsOf(manifest);
  return files.reduce((sum, file) => sum + statSync(path.join(ROOT, file)).size, 0);
}

/** Measures the size of the package. */
export const sizes: Measure = async (report) => {
  report({ name: "files of the package", value: bytesOfPackage() / 1024, unit: "KB" });
};
