import { existsSync } from "node:fs";
import { folderOf, Opened, SETS } from "./opened";

// The tests use states of an earlier release. In these states, the id of an invitation contains its e-mail address in small
// letters. On the service, the address has capital letters.

const CONFIG = ["--config", "."];

describe.each(SETS.filter((set) => existsSync(folderOf(set, "spellings"))))(
  "invitations with capital letters in the states of the release %s",
  (set) => {
    let opened: Opened;
    beforeEach(async () => {
      opened = await Opened.open(set, "spellings");
    });
    afterEach(() => opened.close());

    // In this test, the embedded engine reads Terraform's configuration and state. In terraform.long.test.ts, Terraform
    // reads the same files.
    test.each(["embedded", "terraform"])(
      "%s: with an old state, apply corrects the ids of the invitations",
      async (host) => {
        if (!existsSync(folderOf(set, "spellings", host))) return;
        expect(await opened.planned(host)).toEqual([]);
        await opened.succeed(["apply", "--auto-approve", ...CONFIG], host);
        const state = opened.read(`${host}/terraform.tfstate`);
        expect(state).toContain(":Dev@Example.com");
        expect(state).toContain('"status": "pending"');
        expect(state).not.toContain('"status": "accepted"');
        await opened.succeed(["destroy", "--auto-approve", ...CONFIG], host);
        const url = `${opened.service.url}/api/v4`;
        const places = host === "embedded" ? ["projects/101", "groups/112"] : ["projects/103", "groups/113"];
        for (const place of places)
          expect(JSON.parse(await opened.send("GET", `${url}/${place}/invitations`, undefined))).toEqual([]);
      },
    );
  },
);
