// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.clienttask;

import io.longhaul.protocol.json.JsonTree;
import io.longhaul.requestor.Answerer.Given;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.slf4j.LoggerFactory;

/** Has one question of a server answered, by code of the user. */
public interface AnswerSource {

    /** The answer for a question whose answerer has failed. */
    Given FAILED = new Given.LeftOpen("The client could not answer; its log says more.");

    /** Asks the answerer, and gives what it says. */
    Given given() throws InterruptedException;

    /** Whether a question without an answer stays open: the server gets no response, which would be the answer. */
    default boolean leavesOpen(String why) {
        return false;
    }

    /**
     * The answer as valid JSON; {@link #FAILED} where the answerer fails.
     *
     * <p>Where the question stays open, the thread waits until the question is withdrawn, which interrupts the thread.
     *
     * @param question for the log
     * @param isWanted whether the question was not withdrawn meanwhile: the interrupt of its thread is else no failure
     */
    default Given checked(String question, BooleanSupplier isWanted) throws InterruptedException {
        Given given;
        try {
            given = given();
            if (given instanceof Given.Result(var result)) {
                return new Given.Result(JsonTree.write(JsonTree.read(result)));
            }
        } catch (RuntimeException e) {
            if (isWanted.getAsBoolean()) {
                LoggerFactory.getLogger(AnswerSource.class).warn("the question {} could not be answered", question, e);
            }
            given = FAILED;
        }
        if (given instanceof Given.LeftOpen(var why) && leavesOpen(why)) {
            new CountDownLatch(1).await();
        }
        return given;
    }
}
