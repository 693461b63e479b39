// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Asks a person for consent, yes or no, before a {@link McpTool} method is called. Without a yes the method is not
 * called: the call ends with a text for the model, and its task is listed as declined.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface McpApprove {

    /** The text of the question; {@code {version}} stands for the argument {@code version} of the call. */
    String value();
}
