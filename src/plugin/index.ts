export { ownPlatform, platformOf, SCRIPT_PLATFORMS } from "./mirror/platform";
export { type PluginProgram, writeMirror } from "./mirror/write-mirror";
export { type ReattachServer, servePlugin, serveReattach } from "./serve";
