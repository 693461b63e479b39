// SPDX-License-Identifier: Apache-2.0
package io.longhaul.cli.install;

import tools.jackson.databind.node.ObjectNode;

/**
 * Changes the text of a configuration where one server is, and nowhere else: comments and the order of everything stay.
 * Immutable.
 */
interface FileEdit {

    /**
     * The text with a server, in place of one of the same name.
     *
     * @param text    the text of the file; empty where there is none
     * @param servers the member that has the servers
     * @throws IllegalArgumentException where the text is in another form, with the reason
     */
    String with(String text, String servers, String name, ObjectNode entry);

    /**
     * The text without a server; the same text where it has no such server.
     *
     * @throws IllegalArgumentException where the text is in another form, with the reason
     */
    String without(String text, String servers, String name);
}
