export { type PluginProgram, writeMirror } from "./mirror";
export { ownPlatform } from "./platform";
export { servePlugin } from "./serve-plugin";
export { type Reattached, serveReattach } from "./serve-reattach";
