// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.clienttask;

import io.longhaul.protocol.call.CallResponse.Question;
import io.longhaul.protocol.rpc.RequestId;
import java.util.Optional;

/**
 * A question as a server asks it. Two requests with equal values are the same question. A server may reuse its ids in a
 * new session, and may ask the same thing twice: only the question of a task can be recognized in another session.
 *
 * @param id       the id of the request
 * @param question the question itself
 * @param parent   the server's task that asks, if there is one
 * @param session  the number of the client's session in which a question without a task came; 0 for the question of a
 *     task
 */
public record AskedQuestion(RequestId id, Question question, Optional<String> parent, int session) {}
