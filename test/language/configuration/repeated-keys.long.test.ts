import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describeWith } from "../../support/capabilities";
import { REPEATED } from "./support/repeated";

const folder = mkdtempSync(path.join(tmpdir(), "steward-terraform-keys-"));
afterAll(() => rmSync(folder, { recursive: true }));

describeWith("terraform", "Terraform", (program) => {
  const terraform = (...args: string[]) =>
    spawnSync(program, [...args, "-no-color"], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env["PATH"]!, HOME: folder, CHECKPOINT_DISABLE: "1" },
    });

  test.each(REPEATED)(
    "Terraform accepts or rejects a repeated key as the test expects: %s",
    (_, text, verdict) => {
      writeFileSync(path.join(folder, "main.tf.json"), text);
      const init = terraform("init", "-backend=false", "-input=false");
      const status = init.status === 0 ? terraform("validate").status : init.status;
      expect({
        status: status === 0 ? "accepted" : "refused",
        ...(status === null && { error: init.error }),
      }).toEqual({
        status: verdict,
      });
    },
  );
});
