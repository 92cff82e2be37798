import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { Part } from "./figure";

const ROOT = path.join(__dirname, "..", "..");
/** Neither what is generated nor the samples, which are data of tests and pages. */
const NOT_BY_HAND = /(^|\/)generated\/|\.sample\.ts$|\/samples\//;

function linesByHand(): number {
  const files = readdirSync(path.join(ROOT, "src"), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".ts") && !NOT_BY_HAND.test(file))
    .reduce(
      (sum, file) => sum + readFileSync(path.join(ROOT, "src", file), "utf8").split("\n").length - 1,
      0,
    );
}

function bytesOfPackage(): number {
  const { contentsOf } = require("../../scripts/pack/contents");
  const manifest = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  const { files }: { files: readonly string[] } = contentsOf(manifest);
  return files.reduce((sum, file) => sum + statSync(path.join(ROOT, file)).size, 0);
}

/** What the project weighs. */
export const sizes: Part = async (tell) => {
  tell({ name: "lines of source", value: linesByHand(), unit: "lines" });
  tell({ name: "files of the package", value: bytesOfPackage() / 1024, unit: "KB" });
};
