// SPDX-License-Identifier: Apache-2.0
package io.longhaul.client;

/** A list of a server that may change. */
public enum ServerList {
    TOOLS,
    /** Resources and their templates. */
    RESOURCES,
    PROMPTS
}
