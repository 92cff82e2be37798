export { type MirrorOptions, writeMirror } from "./mirror";
export { type ServePluginOptions, servePlugin } from "./serve-plugin";
export { type Reattached, type ServeReattachOptions, serveReattach } from "./serve-reattach";
