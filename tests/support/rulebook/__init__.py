"""The rulebook as it is tested: which class says a rule, which tests show it, and do they?"""
