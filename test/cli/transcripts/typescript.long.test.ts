import { useQuickApps } from "../../support/apps/quick-apps";
import { play } from "./play";

// These tests run commands with apps in TypeScript, which takes long on a loaded machine.

jest.setTimeout(180_000);
useQuickApps();

play("adopt-into", "accept-refused", "init", "init-from");
