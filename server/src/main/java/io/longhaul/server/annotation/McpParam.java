// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes an argument of a tool, and its limits: on a parameter of a {@link McpTool} method, or on a component of a
 * record that is read or written anywhere as an argument, a result or a form. All of it goes into the JSON Schema, and
 * is checked before the tool is called.
 *
 * <p>An argument is required unless it has a default, is {@code @Nullable} or an {@code Optional}, or says so here.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.RECORD_COMPONENT})
public @interface McpParam {

    /** Stands for a default that is not given; no text that anybody would write. */
    String NO_DEFAULT = "\u0000";

    /** Its name in the arguments. Unsaid: its name in the source. */
    String name() default "";

    /** Its name for people. Unsaid: none. */
    String title() default "";

    /** What it is, for a model. Unsaid: none. */
    String description() default "";

    /** False where it may be absent; it is null then. */
    boolean required() default true;

    /** What it is where it is absent: text for what is written as text in JSON, and JSON for all else. */
    String defaultValue() default NO_DEFAULT;

    /** The smallest number. */
    double minimum() default Double.NaN;

    /** The largest number. */
    double maximum() default Double.NaN;

    /** The fewest characters of a text. */
    int minLength() default 0;

    /** The most characters of a text. */
    int maxLength() default Integer.MAX_VALUE;

    /** A regular expression that is found in a text: with {@code ^} and {@code $}, the whole of it. */
    String pattern() default "";

    /** What a text is, in the words of JSON Schema, such as {@code email} or {@code uri}: told, and not checked. */
    String format() default "";

    /** The fewest items of a list. */
    int minItems() default 0;

    /** The most items of a list. */
    int maxItems() default Integer.MAX_VALUE;

    /**
     * The header that says it again for proxies, without its {@code Mcp-Param-}: {@code x-mcp-header} of the schema.
     * For texts, numbers without fraction and booleans. Unsaid: none.
     */
    String header() default "";
}
