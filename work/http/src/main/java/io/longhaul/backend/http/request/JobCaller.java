// SPDX-License-Identifier: Apache-2.0
package io.longhaul.backend.http.request;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

/**
 * The caller of a job, as the program has verified it: its values, and the rights of requests.
 *
 * @param names  the slots that stand for values of the caller, whatever the arguments have under these names
 * @param values of these names, without those that this caller lacks
 * @param rights of the requests to the job's own origins
 */
public record JobCaller(Set<String> names, Map<String, String> values, Rights rights) {

    /** A caller of which nothing is known, and whose requests have no rights. */
    public static final JobCaller NONE = new JobCaller(Set.of(), Map.of(), Rights.NONE);

    /** Authorizes requests by headers, such as with a token. Thread-safe; its methods may block. */
    @FunctionalInterface
    public interface Rights {

        /** No headers. */
        Rights NONE = method -> Map.of();

        /**
         * The headers of a request, which are secret.
         *
         * @throws NoRightsException where there are none now
         */
        Map<String, String> headers(String method) throws IOException, InterruptedException;

        /**
         * Whether other headers may be good for a request that was refused with 401.
         *
         * @param attempt how often the request was refused, counted from 1
         */
        default boolean isRenewed(Map<String, String> sent, int attempt) throws IOException, InterruptedException {
            return false;
        }
    }

    public JobCaller {
        names = Set.copyOf(names);
        values = Map.copyOf(values);
    }

    /** Whether a name is of a value that this caller lacks. */
    public boolean lacks(String name) {
        return names.contains(name) && !values.containsKey(name);
    }
}
