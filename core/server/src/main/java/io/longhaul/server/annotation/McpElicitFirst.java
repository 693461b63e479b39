// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A question to be answered before the work of a {@link McpLongRunning} method begins. The method gets the answer by
 * {@code task.elicitedFirst(key, form)} of its {@code TaskContext}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({})
public @interface McpElicitFirst {

    /** The key of the question, unique in the method. */
    String key();

    /** The text of the question. */
    String message();

    /** The form: a record of texts, numbers, booleans, enums and lists of enums. */
    Class<?> form();

    /**
     * Whether a caller that can neither be asked nor have a task gives the answer as an argument named by the key. All
     * other callers see the tool without that argument.
     */
    boolean asArgument() default false;
}
