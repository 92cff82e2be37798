import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describeWith } from "../../support/capabilities";
import { VARIABLE_FILES } from "./support/variable-files";

const folder = mkdtempSync(path.join(tmpdir(), "steward-terraform-variables-"));
afterAll(() => rmSync(folder, { recursive: true }));

describeWith("terraform", "Terraform", (program) => {
  beforeAll(() =>
    writeFileSync(
      path.join(folder, "main.tf.json"),
      JSON.stringify({ variable: { a: { default: 0 }, b: { default: 0 } } }),
    ),
  );

  test.each(VARIABLE_FILES)(
    "Terraform accepts or rejects a variables file as VARIABLE_FILES records: %s",
    (_, text, verdict) => {
      writeFileSync(path.join(folder, "terraform.tfvars"), text);
      const { status, stderr } = spawnSync(program, ["plan", "-no-color", "-input=false"], {
        cwd: folder,
        encoding: "utf8",
        env: { PATH: process.env["PATH"]!, HOME: folder, CHECKPOINT_DISABLE: "1" },
      });
      expect({ verdict: status === 0 ? "accepted" : "refused", stderr }).toMatchObject({ verdict });
    },
  );
});
