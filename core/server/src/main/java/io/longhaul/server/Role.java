// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

/** The sender of a message, or the audience of content. */
public enum Role {
    USER,
    ASSISTANT
}
