// SPDX-License-Identifier: Apache-2.0
package io.longhaul.protocol.rpc;

import java.util.random.RandomGenerator;

/**
 * The two ranges of the ids that a server gives to its requests to clients: integers that every JSON library reads
 * exactly. The id alone shows whether a question belongs to a task, and so outlives the server process that asks it.
 */
public final class QuestionRanges {

    private static final long OF_TASKS = 1L << 52;
    private static final long OF_CALLS = 1L << 51;

    private QuestionRanges() {}

    /** The id of a question of a task: 53 bits, of which the digest gives all but the first. */
    public static RequestId.Number ofTask(long digest) {
        return new RequestId.Number(OF_TASKS | digest & OF_TASKS - 1);
    }

    /** An id for a question that no task asks. */
    public static RequestId.Number ofCall(RandomGenerator random) {
        return new RequestId.Number(OF_CALLS | random.nextLong(OF_CALLS));
    }

    /** Whether a server may have given this id to a question that no task asks. */
    public static boolean isOfCall(RequestId id) {
        return id instanceof RequestId.Number number && number.value() >= OF_CALLS && number.value() < OF_TASKS;
    }

    public static boolean isOfTask(RequestId id) {
        return id instanceof RequestId.Number number && number.value() >= OF_TASKS;
    }
}
