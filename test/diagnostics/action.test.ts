import fc from "fast-check";
import {
  actionCommand,
  type CommandNames,
  completeAction,
  type DiagnosticAction,
} from "../../src/diagnostics";
import { runs } from "../support/capabilities";
import { HOSTILE, takenLines } from "../support/hostile";
import { readByShell } from "../support/read-by-shell";

const NAMES: CommandNames = {
  import: "x import",
  stateRm: "x state rm",
  move: "x state mv",
  plan: "x plan",
  apply: "x apply",
  migrate: "x state migrate",
  unlock: "x unlock",
  list: "x state list",
  types: "x schema",
  show: "x show",
  other: "x exec -- ",
};
const ADDRESS = 'acme_thing.x["a b"]';

test.each<[DiagnosticAction, string]>([
  [{ kind: "import", id: "42:review apps/*" }, `x import 'acme_thing.x["a b"]' '42:review apps/*'`],
  [{ kind: "import", address: "acme_thing.y", id: "1" }, "x import acme_thing.y 1"],
  [{ kind: "stateRm" }, `x state rm 'acme_thing.x["a b"]'`],
  [
    { kind: "stateRm", address: "acme_thing.y", stack: "web shop" },
    "x state rm --stack 'web shop' acme_thing.y",
  ],
  [{ kind: "move", from: "acme_thing.a", to: "acme_thing.b" }, "x state mv acme_thing.a acme_thing.b"],
  [
    { kind: "move", from: "acme_thing.a", to: "acme_thing.a", stacks: { from: "web", to: "base" } },
    "x state mv --from-stack web --to-stack base acme_thing.a",
  ],
  [{ kind: "plan" }, "x plan"],
  [{ kind: "plan", stack: "web shop" }, "x plan --stack 'web shop'"],
  [{ kind: "plan", lock: false }, "x plan --lock=false"],
  [{ kind: "plan", out: "a plan" }, "x plan --out 'a plan'"],
  [{ kind: "apply" }, "x apply"],
  [{ kind: "apply", stack: "web" }, "x apply --stack web"],
  [{ kind: "other", program: "tofu plan" }, "x exec -- tofu plan"],
  [
    { kind: "other", program: "terraform plan", target: 'acme_thing.x["a b"]' },
    `x exec -- terraform plan -target='acme_thing.x["a b"]'`,
  ],
  [{ kind: "list" }, "x state list"],
  [{ kind: "types" }, "x schema"],
  [{ kind: "show", file: "a plan" }, "x show 'a plan'"],
  [
    { kind: "migrate", state: "terraform.web shop.tfstate", to: "https://git.example/state" },
    "x state migrate --state 'terraform.web shop.tfstate' --to https://git.example/state",
  ],
  [{ kind: "unlock", id: "7d1c" }, "x unlock 7d1c"],
  [{ kind: "unlock", id: "--force" }, "x unlock -- --force"],
])("the command for the action %j is %s", (action, command) => {
  expect(actionCommand(action, NAMES, ADDRESS)).toBe(command);
});

test("if a diagnostic has no object address, the suggested command contains the word ADDRESS", () => {
  expect(actionCommand({ kind: "stateRm" }, NAMES)).toBe("x state rm ADDRESS");
});

test("an action that suggests a block for the configuration, such as moved, has no command", () => {
  expect(actionCommand({ kind: "moved", type: "acme_thing" }, NAMES)).toBeUndefined();
  expect(actionCommand({ kind: "forget", type: "acme_thing" }, NAMES)).toBeUndefined();
});

test("an import or stateRm action without an address gets the address of the diagnostic", () => {
  expect(completeAction({ kind: "import", id: "1" }, "a.b")).toEqual({
    kind: "import",
    id: "1",
    address: "a.b",
  });
  expect(completeAction({ kind: "stateRm", address: "c.d" }, "a.b")).toEqual({
    kind: "stateRm",
    address: "c.d",
  });
  expect(completeAction({ kind: "stateRm" }, undefined)).toEqual({ kind: "stateRm" });
  expect(completeAction({ kind: "unlock", id: "1" }, "a.b")).toEqual({ kind: "unlock", id: "1" });
});

test("a shell reads any name in a suggested command unchanged, and never as an option", () => {
  const word = fc
    .oneof(
      fc.constant(HOSTILE),
      fc.string(),
      fc.string().map((text) => `-${text}`),
    )
    .map((text) => Buffer.from(text.replaceAll("\0", "")).toString());
  fc.assert(
    fc.property(word, word, word, (address, id, stack) => {
      const commands: [DiagnosticAction, string[]][] = [
        [{ kind: "import", address, id }, [address, id]],
        [{ kind: "stateRm", address, stack }, [address]],
        [
          { kind: "move", from: address, to: `${id}!`, stacks: { from: stack, to: stack } },
          [address, `${id}!`],
        ],
        [{ kind: "unlock", id }, [id]],
        [{ kind: "show", file: id }, [id]],
        [{ kind: "other", program: "terraform plan", target: address }, [`-target=${address}`]],
      ];
      for (const [action, operands] of commands) {
        const command = actionCommand(action, NAMES)!;
        expect(takenLines(command)).toEqual([]);
        const words = readByShell([command]);
        expect(words.slice(-operands.length)).toEqual(operands);
        if (action.kind !== "other" && operands.some((one) => one.startsWith("-")))
          expect(words.at(-operands.length - 1)).toBe("--");
      }
    }),
    { numRuns: runs(10, 500) },
  );
});
