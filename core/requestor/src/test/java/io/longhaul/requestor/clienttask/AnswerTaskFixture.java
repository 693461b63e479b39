// SPDX-License-Identifier: Apache-2.0
package io.longhaul.requestor.clienttask;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.protocol.dialect.Generation;
import io.longhaul.protocol.json.Json;
import io.longhaul.protocol.rpc.JsonRpcMessage;
import io.longhaul.requestor.AnswerTaskRows;
import io.longhaul.requestor.Answerer.Given;
import io.longhaul.requestor.HandTime;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The tasks that a client hosts in one generation, a person who thinks about them, and what the server is told. */
abstract class AnswerTaskFixture {

    static final Given ANSWER = new Given.Result(Json.raw("{\"action\":\"decline\"}"));

    final BlockingQueue<JsonRpcMessage> said = new LinkedBlockingQueue<>();
    final CountDownLatch interrupted = new CountDownLatch(1);
    final CountDownLatch thinking = new CountDownLatch(1);
    final HandTime time = new HandTime();
    final AnswerTasks tasks;

    /** Takes what the server is told in the client's session. */
    final Consumer<JsonRpcMessage> session = said::add;

    AnswerTaskFixture(Generation generation) {
        tasks = AnswerTaskRowsTest.tasks(generation, time, AnswerTaskRows.NONE);
    }

    /** Asks about a task, and gives what comes of it as text. */
    abstract String verb(String method, String task) throws InterruptedException;

    /** The answer of the task can be had for a minute from now on. */
    final void assertKeptForAMinute(String task, String gone) throws InterruptedException {
        time.pause(Duration.ofSeconds(59));
        assertThat(verb("tasks/result", task)).contains("decline");
        time.pause(Duration.ofSeconds(1));
        assertThat(verb("tasks/result", task)).contains(gone);
    }

    /** Answers when the test says so. */
    final Given think() throws InterruptedException {
        try {
            thinking.await();
        } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
        }
        return ANSWER;
    }

    /** The next message that the server gets. */
    final JsonRpcMessage next() throws InterruptedException {
        var message = said.poll(20, TimeUnit.SECONDS);
        assertThat(message).isNotNull();
        return message;
    }
}
