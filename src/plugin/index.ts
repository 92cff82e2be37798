export { type PluginProgram, writeMirror } from "./mirror";
export { ownPlatform } from "./platform";
export { servePlugin } from "./serve-plugin";
export { type ReattachServer, serveReattach } from "./serve-reattach";
