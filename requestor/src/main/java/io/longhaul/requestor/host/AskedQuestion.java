// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.host;

import io.longhaul.protocol.call.Answer.Question;
import io.longhaul.protocol.rpc.RequestId;
import java.util.Optional;

/**
 * A question as a server asks it, and what makes two requests the same question. A server may use its ids again in a
 * new session, and may ask the same twice: only the question of a task is known to be the same one there.
 *
 * @param id       of the request
 * @param question what is asked
 * @param parent   the task of the server that asks, if one does
 * @param session  of this client in which a question of no task came; 0 for the question of a task
 */
public record AskedQuestion(RequestId id, Question question, Optional<String> parent, int session) {}
