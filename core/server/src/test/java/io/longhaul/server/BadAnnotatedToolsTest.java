// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.engine.task.CrashPolicy;
import io.longhaul.server.annotation.McpApprove;
import io.longhaul.server.annotation.McpLongRunning;
import io.longhaul.server.annotation.McpParam;
import io.longhaul.server.annotation.McpParams;
import io.longhaul.server.annotation.McpTool;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Methods that cannot be tools, and how that is said when the server is made. */
class BadAnnotatedToolsTest {

    record Both(String a) {}

    static class Bad {

        @McpTool
        String twice(ToolContext one, RequestContext other) {
            return "";
        }

        @McpTool
        String quick(TaskContext task) {
            return "";
        }

        @McpTool
        @McpApprove("Deploy {versoin}?")
        String misspelt(String version) {
            return "";
        }

        @McpApprove("Deploy?")
        String consented() {
            return "";
        }

        @McpTool(name = " ")
        String blank() {
            return "";
        }

        @McpTool(name = "a b")
        String spaced() {
            return "";
        }

        @McpTool
        String reads(InputStream in) {
            return "";
        }

        @McpTool
        String unfit(@McpParam(defaultValue = "3", minimum = 5) int number) {
            return "";
        }

        @McpTool
        String absent(@McpParam(required = false) int number) {
            return "";
        }

        @McpTool
        String named(@McpParam(name = "a b") int number) {
            return "";
        }

        @McpTool
        String same(@McpParam(name = "x") int one, @McpParam(name = "x") int other) {
            return "";
        }

        @McpTool
        String mixed(@McpParams Both both, int other) {
            return "";
        }

        @McpTool
        String whole(@McpParams String text) {
            return text;
        }

        @McpTool
        <T> String generic(T any) {
            return "";
        }

        @McpTool
        CompletableFuture<String> later() {
            return new CompletableFuture<>();
        }

        @McpTool(output = Both.class)
        Both saidTwice() {
            return new Both("");
        }

        @McpTool
        @McpLongRunning(rate = "10 a minute")
        String rated() {
            return "";
        }

        @McpTool
        @McpLongRunning(timeout = "soon")
        String slow() {
            return "";
        }

        @McpTool
        @McpLongRunning(onCrash = CrashPolicy.REATTACH)
        String again() {
            return "";
        }

        @McpLongRunning
        String unmarked() {
            return "";
        }

        @McpTool
        private String hidden() {
            return "";
        }
    }

    static class Twins {

        @McpTool(name = "twin")
        String one() {
            return "";
        }

        @McpTool(name = "twin")
        String other() {
            return "";
        }
    }

    @Test
    void all_that_is_wrong_is_said_at_once_with_class_and_method() {
        String place = "\n- io.longhaul.server.BadAnnotatedToolsTest$Bad.";
        assertThatThrownBy(() -> McpServer.builder("bad", "1").toolsOf(new Bad()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("21 tools cannot be used:\n- ")
                .hasMessageContainingAll(
                        place + "twice(ToolContext, RequestContext): it takes the call twice",
                        place + "quick(TaskContext): it takes a TaskContext, and only a call of a long-running tool",
                        place + "misspelt(String): the question of @McpApprove names {versoin}, which is no argument",
                        place + "consented(): @McpLongRunning and @McpApprove mean nothing without @McpTool",
                        place + "blank(): the tool name ' ' must be 1 to 128 letters",
                        place + "spaced(): the tool name 'a b' must be",
                        place + "reads(InputStream): its parameter 'in' is a java.io.InputStream, which has no form",
                        place + "unfit(int): its parameter 'number': its default '3' does not fit",
                        place + "absent(int): its parameter 'number' is int, which cannot be absent",
                        place + "named(int): the name of its parameter 'a b' must be 1 to 64 letters",
                        place + "same(int, int): its parameter 'x': two properties are named 'x'",
                        place + "mixed(Both, int): a parameter with @McpParams takes all arguments",
                        place + "whole(String): @McpParams is for plain records, not for java.lang.String",
                        place + "generic(Object): a tool must not have type parameters",
                        place + "later(): it returns a java.util.concurrent.CompletableFuture",
                        place + "saidTwice(): its output is said twice",
                        place + "slow(): timeout 'soon' is no duration",
                        place + "rated(): rate '10 a minute' is no rate: write it as 2/s, 10/m or 100/h",
                        place + "again(): onCrash REATTACH is for backends",
                        place + "unmarked(): @McpLongRunning and @McpApprove mean nothing without @McpTool",
                        place + "hidden(): a tool must not be private");
    }

    @Test
    void two_tools_of_one_name_are_both_named() {
        String one = "io.longhaul.server.BadAnnotatedToolsTest$Twins.one()";
        String other = "io.longhaul.server.BadAnnotatedToolsTest$Twins.other()";
        assertThatThrownBy(() -> Tool.allOf(new Twins()))
                .hasMessageContainingAll("two tools are named 'twin'", one, other);
        var server = McpServer.builder("bad", "1").tool(Tools.greet());
        assertThatThrownBy(() -> server.toolsOf(new Object() {
                    @McpTool
                    String greet() {
                        return "";
                    }
                }))
                .hasMessageContainingAll("two tools are named 'greet'", "Tool.define", ".greet()");
    }

    @Test
    void an_object_without_tools_is_a_mistake() {
        assertThatThrownBy(() -> Tool.allOf("text"))
                .hasMessage("java.lang.String has no method that is marked with @McpTool");
        assertThatThrownBy(() -> Tool.allOf(Twins.class))
                .hasMessageContaining("not of the class itself: give a new Twins(...)");
    }
}
