// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.clienttask;

import io.longhaul.protocol.json.JsonTree;
import io.longhaul.protocol.rpc.RpcError;
import io.longhaul.requestor.Answerer.Given;
import java.util.function.BooleanSupplier;
import org.slf4j.LoggerFactory;

/** Has one question of a server answered, by code of the user. */
@FunctionalInterface
public interface AnswerSource {

    /** The answer for a question whose answerer has failed. */
    Given FAILED =
            new Given.Cannot(new RpcError(RpcError.INTERNAL_ERROR, "The client could not answer; its log says more."));

    /** Asks the answerer, and gives what it says. */
    Given given() throws InterruptedException;

    /**
     * The answer as valid JSON; an error where the answerer fails.
     *
     * @param question for the log
     * @param isWanted whether the question was not withdrawn meanwhile: the interrupt of its thread is else no failure
     */
    default Given checked(String question, BooleanSupplier isWanted) throws InterruptedException {
        try {
            var given = given();
            return given instanceof Given.Result(var result)
                    ? new Given.Result(JsonTree.write(JsonTree.read(result)))
                    : given;
        } catch (RuntimeException e) {
            if (isWanted.getAsBoolean()) {
                LoggerFactory.getLogger(AnswerSource.class).warn("the question {} could not be answered", question, e);
            }
            return FAILED;
        }
    }
}
