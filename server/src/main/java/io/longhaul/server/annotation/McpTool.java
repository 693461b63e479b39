// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method a tool. It runs on a virtual thread and may block; many calls of it run at once.
 *
 * <p>Each parameter is an argument, named as in the source ({@code javac -parameters}) or by {@link McpParam#name};
 * a {@code TaskContext} is the call itself. A record or a map that it returns is structured content and gives the
 * output schema; a string is text; a {@code ToolResult} is the result as it is; nothing else of it is structured.
 *
 * <p>{@code docs/TOOLS.md} has all of it by example.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface McpTool {

    /** What it is called by: 1 to 128 letters, digits, underscores, hyphens or dots. Unsaid: the method's name. */
    String name() default "";

    /** Its name for people. Unsaid: none. */
    String title() default "";

    /** What it does, for a model. Unsaid: none. */
    String description() default "";

    /** The scopes that a caller needs where callers are told apart, see {@code ToolDefinition.scopes}. Unsaid: none. */
    String[] scopes() default {};

    /** Hints about what it does. */
    McpAnnotations annotations() default @McpAnnotations;

    /** Pictures for it. */
    McpIcon[] icons() default {};

    /**
     * The type of its structured content, where the method's own type does not say: for methods that return a
     * {@code ToolResult}. Unsaid: what the method returns.
     */
    Class<?> output() default void.class;

    /** Hints about what a tool does: they change nothing, and a client does not trust them. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target({})
    @interface McpAnnotations {

        /** Its name for people, as older clients look for it. */
        String title() default "";

        /** It changes nothing. */
        boolean readOnlyHint() default false;

        /** What it does may destroy something. Without meaning where it changes nothing. */
        boolean destructiveHint() default true;

        /** Calling it again with the same arguments changes nothing more. Without meaning where it changes nothing. */
        boolean idempotentHint() default false;

        /** It reaches beyond a closed world, as a search of the web does. */
        boolean openWorldHint() default true;
    }
}
