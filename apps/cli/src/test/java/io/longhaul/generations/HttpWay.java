// SPDX-License-Identifier: Apache-2.0
package io.longhaul.generations;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** HTTP: for each request a response, which may be a stream. */
interface HttpWay extends Way {

    /**
     * One event of a stream, or the body of a response that is none.
     *
     * @param data empty where the event has none
     */
    record Event(@Nullable String id, String data) {}

    /** What comes back to a request. */
    interface Reply {
        int status();

        Optional<String> header(String name);

        /** What comes next; waits for it. Empty at the end. */
        Optional<Event> next();

        /** Closes the response. */
        void leave();
    }

    /** The requests of one client. */
    interface Requests {
        Reply post(JsonNode message, Map<String, String> headers);

        Reply get(Map<String, String> headers);

        Reply delete(Map<String, String> headers);
    }

    Requests requests(String subject);

    @Override
    default Wire wire(String subject) {
        return new HttpWire(this, subject);
    }
}
