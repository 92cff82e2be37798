import { useQuickApps } from "../../support/apps/quick-apps";
import { play } from "./play";

// The tests run commands with apps in TypeScript. On a loaded machine, this takes long.

jest.setTimeout(180_000);
useQuickApps();

play("adopt-into", "accept-refused", "init", "init-from");
