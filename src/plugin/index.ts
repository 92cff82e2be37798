export { ownPlatform, platformOf, SCRIPT_PLATFORMS } from "./mirror/platform";
export { type PluginProgram, writeMirror } from "./mirror/write-mirror";
export { servePlugin } from "./serve-plugin";
export { type ReattachServer, serveReattach } from "./serve-reattach";
