// SPDX-License-Identifier: Apache-2.0
package io.longhaul.transcripts;

import java.util.List;

/** A way on which a server says something. */
interface Wire extends AutoCloseable {

    /**
     * What the server says next; waits for it.
     *
     * @param expected what the transcript has there: it names the header that is to be shown
     */
    String next(String expected) throws Exception;

    /** What was said and not asked for yet. */
    List<String> unread();
}
